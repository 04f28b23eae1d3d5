// The page for what is missing: it stands at any depth, so its links begin where this script is.
const root = new URL("../", import.meta.url).pathname;

for (const link of document.querySelectorAll("a[href^='/']")) {
  const target = root + link.getAttribute("href").slice(1);
  link.setAttribute("href", target);
}
