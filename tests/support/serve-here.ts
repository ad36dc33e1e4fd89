import { loadEnvironment } from '../../scripts/launcher/environment.ts';
import { takePort } from '../../scripts/launcher/port.ts';
import { serveBuild } from '../../scripts/launcher/serve.ts';

// Serves the build of the folder it is started in, without the checks of a launcher.
await serveBuild(await takePort(loadEnvironment()));
