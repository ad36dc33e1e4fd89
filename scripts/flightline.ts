import { encryptBackupsWith } from '#db/backup/encryption.ts';
import { type Command, UsageError } from './flightline/command.ts';
import { COMMANDS } from './flightline/commands.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

const EXIT_CODES = 'Exit codes: 0 done, or nothing wrong; 1 failed, or something found; 2 called the wrong way.';

await runCommand(async () => {
  const [name = '--help', ...args] = process.argv.slice(2);
  if (['--help', '-h', 'help'].includes(name)) return printOverview();
  const load = COMMANDS[name];
  if (!load) throw new UsageError(`There is no command '${name}'. \`npm run flightline -- --help\` lists them.`);
  if (args.includes('--help') || args.includes('-h')) return printHelp(name, await load());
  const settings = loadEnvironment();
  encryptBackupsWith(settings.BACKUP_PASSPHRASE);
  const { command } = await load();
  return command.parse(name, args)(settings);
});

async function printOverview(): Promise<0> {
  const lines = Object.entries(COMMANDS).map(async ([name, load]) => {
    const { command } = await load();
    return `  ${[name, ...command.operands].join(' ').padEnd(24)} ${command.summary}`;
  });
  console.log('Usage: npm run flightline -- <command>\n');
  console.log((await Promise.all(lines)).join('\n'));
  console.log(`\nEach explains itself with --help. ${EXIT_CODES}`);
  return 0;
}

function printHelp(name: string, { command }: { command: Command }): 0 {
  console.log(`${command.usage(name)}\n${EXIT_CODES}`);
  return 0;
}
