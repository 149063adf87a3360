// Runs before the page is read any further, and in browsers that do not understand the rest: without it the page is plain
// text, and it goes back to that, with a notice, when anything fails before the picture stands. A later failure leaves the
// picture with a notice that it may be wrong. Nothing here is newer than ES5.
(function () {
  var root = document.documentElement;
  var said = false;
  var guard = window.plannerCcdGuard = {booted: false, failed: false, fail: fail, notice: notice, ready: ready};
  root.className = 'starting';

  function show(text) {
    var place = document.getElementById('notice');
    if (!place) return;
    said = true;
    place.textContent = text;
    place.hidden = !text;
  }

  // Words above the picture; the first failure stays.
  function notice(text) {
    if (!guard.failed) show(text);
  }

  function ready() {
    if (guard.failed) return;
    if (!said) show('');
    root.className = 'ready';
  }

  function fail(why) {
    if (guard.failed) return;
    var drawn = root.className === 'ready';
    if (!drawn) root.className = 'plain';
    show((drawn ? 'What is drawn may be wrong: ' : 'Nothing is drawn: ') + why);
    guard.failed = true;
  }

  guard.failScript = function (error) {
    var why = String(error && error.message || error);
    if (/SyntaxError/.test(why)) why = 'this browser is too old for it, ' + why;
    fail('the script of this page failed (' + why + '). What is written here does not depend on it.');
  };

  window.addEventListener('error', function (event) {
    // Neither a frame that came late, nor another's script in this page.
    if (/^ResizeObserver loop/.test(event.message) || /^[a-z-]+-extension:/.test(event.filename || '')) return;
    guard.failScript(event.message || 'an error without words');
  });
  window.addEventListener('unhandledrejection', function (event) {
    guard.failScript(event.reason);
  });
  document.addEventListener('DOMContentLoaded', function () {
    if (!guard.booted) fail('this file was damaged on its way. Its script is missing or was changed, and what is written here may be cut short as well.');
  });
})();
