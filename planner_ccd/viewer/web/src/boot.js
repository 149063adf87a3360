// Runs first: unpacks data and application from the page and starts the application with the data. Browsers
// without DecompressionStream for raw deflate use fflate.
import {inflateSync} from 'fflate';

function bytesOf(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  let stream = null;
  try {
    stream = new DecompressionStream('deflate-raw');
  } catch {
    return inflateSync(bytes);
  }
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function start() {
  const [app, data] = await Promise.all([inflate(bytesOf('app')), inflate(bytesOf('data'))]);
  const script = document.createElement('script');
  script.textContent = new TextDecoder().decode(app);
  document.head.append(script);
  await window.plannerCcdStart(data);
}

function fail(error) {
  console.error(error);
  const message = document.getElementById('message');
  message.hidden = false;
  message.textContent = `This page could not be shown: ${error && error.message ? error.message : error}`;
}

start().catch(fail);
