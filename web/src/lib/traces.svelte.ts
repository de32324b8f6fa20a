/** What the last turn left on the table: ghosts of the fallen, where units came from, and how much each lost. */

import type { Board } from "./board.svelte";
import type { Base, GameEvent, Point, Side } from "./wire";

export interface Ghost {
  id: string;
  at: Point;
  facing: number;
  base: Base;
  side: Side;
}

export interface Trail {
  id: string;
  from: Point;
  to: Point;
  side: Side;
}

export class Traces {
  ghosts: Ghost[] = $state.raw([]);
  trails: Trail[] = $state.raw([]);
  /** Models lost and wounds suffered, by unit. */
  losses: Map<string, { models: number; wounds: number }> = $state.raw(new Map());

  clear(): void {
    this.ghosts = [];
    this.trails = [];
    this.losses = new Map();
  }

  /** Note what an event is about to change. */
  before(event: GameEvent, board: Board): void {
    for (const [id, field, value] of event.set) {
      const model = board.models.get(id);
      const unit = model && board.unitOf(model);
      if (!model || !unit) continue;
      if (field === "removed" && value === true) {
        if (model.at) this.ghosts = [...this.ghosts.filter((ghost) => ghost.id !== id), { id, at: model.at, facing: model.facing, base: model.base, side: unit.side }];
        this.#lost(unit.id, 1, 0);
      } else if (field === "wounds" && Number(value) > model.wounds) this.#lost(unit.id, 0, Number(value) - model.wounds);
      else if (field === "at" && model.at && Array.isArray(value)) this.#went(id, model.at, value as Point, unit.side);
    }
  }

  #lost(unit: string, models: number, wounds: number): void {
    const before = this.losses.get(unit) ?? { models: 0, wounds: 0 };
    this.losses = new Map(this.losses).set(unit, { models: before.models + models, wounds: before.wounds + wounds });
  }

  #went(id: string, from: Point, to: Point, side: Side): void {
    const known = this.trails.find((trail) => trail.id === id);
    if (Math.hypot(to[0] - from[0], to[1] - from[1]) < 0.05) return;
    this.trails = [...this.trails.filter((trail) => trail.id !== id), { id, from: known?.from ?? from, to, side }];
  }
}
