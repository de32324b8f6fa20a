/** Which page is shown: the query of the address says so, and Back and Forward walk through what was shown. */

class Route {
  now = $state.raw(new URLSearchParams(typeof location === "undefined" ? "" : location.search));
}
export const address = new Route();

/** Go to a query such as `?page=odds`, without loading the page anew. */
export function go(query: string, replace = false): void {
  if (replace) history.replaceState(null, "", query);
  else history.pushState(null, "", query);
  address.now = new URLSearchParams(location.search);
}

export function followHistory(): void {
  addEventListener("popstate", () => (address.now = new URLSearchParams(location.search)));
}

/** A click on a link inside the page: taken here unless it asks for a window of its own. */
export function follow(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.search || "/");
}
