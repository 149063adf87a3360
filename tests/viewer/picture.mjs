// node picture.mjs PAGE.html PICTURE.jpg WIDTH HEIGHT [phone] [dark] [no-webgl] [no-scripts] [SCRIPT]: a screenshot of a page.
import {Browser} from './browser.mjs';

const [page, picture, width, height, ...rest] = process.argv.slice(2);
const [script] = rest.filter((word) => !['phone', 'dark', 'no-webgl', 'no-scripts'].includes(word));
const browser = new Browser(process.env.CHROMIUM || 'chromium', {webgl: !rest.includes('no-webgl')});
try {
  const shown = await browser.open(page, {
    width: Number(width), height: Number(height), mobile: rest.includes('phone'), dark: rest.includes('dark'),
    scripts: !rest.includes('no-scripts')});
  if (script) console.log(await shown.evaluate(script));
  await shown.screenshot(picture);
  for (const error of shown.errors) console.error(error);
} finally {
  await browser.close();
}
