import { Server } from 'node:net';
import { loadEnvironment } from '../../scripts/launcher/environment.ts';
import { takePort } from '../../scripts/launcher/port.ts';
import { serveBuild } from '../../scripts/launcher/serve.ts';

// Serves the build of the folder it is started in, without the checks of a launcher. The release before has no front
// that takes over the port that is kept, so whatever listens there does.
const settings = await takePort(loadEnvironment());
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...words: unknown[]): Server {
  if (words[0] !== settings.PORT) return Reflect.apply(listen, this, words);
  Server.prototype.listen = listen;
  return Reflect.apply(listen, this, [globalThis.keptPort, words.at(-1)]);
};
await serveBuild(settings);
