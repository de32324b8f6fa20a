import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** The page is built straight into the Python package, which serves it and carries it in its wheel. */
export default defineConfig({
  base: "/",
  plugins: [svelte()],
  build: {
    outDir: "../src/rolloff/server/page",
    emptyOutDir: true,
    target: "es2022",
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "/api": "http://127.0.0.1:8642",
      "/ws": { target: "ws://127.0.0.1:8642", ws: true },
    },
  },
  test: {
    environment: "node",
    include: ["src/**/*.test.ts"],
    passWithNoTests: true,
  },
});
