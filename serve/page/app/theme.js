// Sets the theme before anything is drawn, so that a dark page does not flash white.
// A classic script and not a module for that reason.
(() => {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try { return JSON.parse(localStorage.getItem('damma.theme')); } catch { return null; }
  };
  const apply = () => { root.dataset.theme = chosen() ?? (system.matches ? 'dark' : 'light'); };
  system.addEventListener('change', apply);
  window.addEventListener('storage', apply);
  window.addEventListener('damma-theme', apply);
  apply();
})();
