/** Questions that need no player: one answer only, or several that come to the same. */

import type { Board, ModelView } from "./board.svelte";
import { weaponText } from "./format";
import { most, offered } from "./weapons";
import type { DecisionRequest, Json } from "./wire";

const look = (model: ModelView): string =>
  JSON.stringify([model.name, model.wounds, model.rules, model.weapons.map(weaponText), model.base, model.marks]);

/** Whether the options are models that differ in nothing but their place. */
function alike(request: DecisionRequest, board: Board): boolean {
  const models = (request.options ?? []).map((option) => board.models.get(String(option)));
  if (models.length < 2 || models.some((model) => !model)) return false;
  return new Set(models.map((model) => look(model!))).size === 1;
}

/** Whether every model has one weapon to use and nothing speaks against using it, so that there is nothing to pick. */
function oneWeaponEach(request: DecisionRequest): boolean {
  if (request.facts["choice"] === true) return false;
  const weapons = offered(request.facts);
  const models = new Set(weapons.map((weapon) => weapon.model));
  const all = Array.isArray(request.default) && request.default.length === weapons.length;
  return weapons.length > 0 && all && (weapons.length === models.size || most(request.facts) === Infinity);
}

/** The answer to a question that leaves nothing to choose; undefined if it is for the player. */
export function foregone(request: DecisionRequest, board: Board, askAlike: boolean): Json | undefined {
  if (request.options?.length === 1) return request.options[0]!;
  if (request.kind === "assign-weapons") return oneWeaponEach(request) ? request.default : undefined;
  return !askAlike && alike(request, board) ? request.default : undefined;
}
