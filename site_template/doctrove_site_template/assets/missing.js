// The page for what is missing stands at any depth, and where its site's address is not known it asks for no file.
// The folder of a library in the address says where the site begins, or in that of the page the reader came from.
// Otherwise its links lead to the folder above: from there the next one, if need be, leads on.
const plain = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign
  }
};
const links = [...document.querySelectorAll("a[href^='/']")];
const libraries = new Set(
  [...document.querySelectorAll(".elsewhere a")].map((link) => plain(link.getAttribute("href").replaceAll("/", ""))),
);
const begins = (path) => {
  const parts = path.split("/");
  const at = parts.findIndex((part) => part && libraries.has(plain(part)));
  return at > 0 ? parts.slice(0, at).join("/") + "/" : "";
};
const came = URL.canParse?.(document.referrer) ? new URL(document.referrer) : location;
const above = location.pathname.replace(/[^/]*\/?$/, "");
const root = begins(location.pathname) || (came.origin === location.origin && begins(came.pathname)) || above || "/";
for (const link of links) link.setAttribute("href", root + link.getAttribute("href").slice(1));
