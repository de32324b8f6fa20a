/** Where on the table a point of the screen is: set by the table that is shown, used by what is dragged onto it. */

import type { Point } from "./wire";

export const pointing: {
  locate: ((event: { clientX: number; clientY: number }) => Point | null) | null;
  /** Told of the next click on the ground, for questions that want a spot. */
  spot: Point | null;
  wanted: boolean;
  /** Spots a click near by is meant for. */
  spots: readonly Point[];
} = $state({ locate: null, spot: null, wanted: false, spots: [] });
