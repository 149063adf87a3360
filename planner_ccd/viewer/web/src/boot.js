// Unpacks data and application from the page and starts the application with the data. Browsers without
// DecompressionStream for raw deflate use fflate.
import {inflateSync} from 'fflate';

const guard = window.plannerCcdGuard;
guard.booted = true;

// FNV-1a, as in page.cpp.
function checksum(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function bytesOf(id) {
  const element = document.getElementById(id);
  const packed = element.textContent.replace(/\s+/g, '');
  if (String(checksum(packed)) !== element.dataset.sum) throw new Error(`its ${id} was damaged on its way`);
  const text = atob(packed);
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
  guard.ready();
}

start().catch((error) => {
  console.error(error);
  guard.failScript(error);
});
