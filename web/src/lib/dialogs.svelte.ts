/** Which dialog is open over the page: one at a time, and Escape closes it before it does anything else. */

export type DialogName = "keys" | "settings";

export const dialogs: { open: DialogName | null } = $state({ open: null });
