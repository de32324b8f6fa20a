import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { followHistory } from "./lib/route.svelte";
import { wearPalette } from "./lib/settings.svelte";
import { settleLanguage } from "./lib/text.svelte";
import { settleTheme } from "./lib/theme.svelte";

settleTheme();
settleLanguage();
wearPalette();
followHistory();
mount(App, { target: document.getElementById("table")! });
