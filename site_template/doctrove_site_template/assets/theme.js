// Runs before the first paint, so that the remembered theme does not flash.
try {
  const theme = localStorage.getItem("doctrove-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {} // Storage is blocked: the system's theme stays.
