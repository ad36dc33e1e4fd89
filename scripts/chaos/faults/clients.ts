import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSocket } from '#tests/support/raw.ts';
import { completed } from '#tests/support/flight.ts';
import { makeAircraft } from '#tests/support/school.ts';
import type { CrewFault, Scene } from '../fault.ts';
import { appOf } from '../lab/lab.ts';

const UPLOADS = 100;
const SLOW_CLIENTS = 1000;
const CHECK_OUTS = 1000;

/** Faults of the clients themselves, and on the way to them. */
export const clientFaults: CrewFault[] = [
  {
    name: 'answers-cut',
    does: 'One answer in three to a change that was made never reaches its client.',
    harm: async ({ lab, crew, random }) => {
      lab.front.loses = ({ method }, status) => method !== 'GET' && status < 400 && random() < 1 / 3;
      await crew.acknowledges(60, 30_000);
      lab.front.loses = () => false;
    },
  },
  {
    name: 'uploads-cut',
    does: `${UPLOADS} photos whose connection is cut half way through the upload.`,
    harm: async (scene) => {
      const sockets = await Promise.all(
        Array.from({ length: UPLOADS }, () => send(scene, 'POST', '/ocr?index', UPLOAD_HEADERS, UPLOAD)),
      );
      await sleep(500);
      for (const socket of sockets) socket.resetAndDestroy();
    },
  },
  {
    name: 'downloads-cut',
    does: 'Twenty downloads of the flight log, cut after their first bytes.',
    harm: async (scene) => {
      await addFlights(scene);
      for (let time = 0; time < 20; time += 1) {
        const socket = await send(scene, 'GET', '/api/flight-logs/export');
        await Promise.race([new Promise((resolve) => socket.once('data', resolve)), sleep(2000)]);
        socket.resetAndDestroy();
      }
    },
  },
  {
    name: 'downloads-unread',
    does: 'Six downloads of a long flight log that nobody reads, their backends terminated after a second.',
    harm: async (scene) => {
      await addFlights(scene);
      const unread = await Promise.all(Array.from({ length: 6 }, () => send(scene, 'GET', '/api/flight-logs/export')));
      for (const socket of unread) socket.pause();
      await sleep(1000);
      await scene.lab.postgres.terminateBackends();
      await sleep(2000);
      for (const socket of unread) socket.resume();
    },
    check: downloadsAgain,
  },
  {
    name: 'slow-clients',
    does: `${SLOW_CLIENTS} clients who begin a form and send no more, for 8 seconds.`,
    harm: async (scene) => {
      const slow: Socket[] = [];
      for (let count = 0; count < SLOW_CLIENTS; count += 1) {
        slow.push(await send(scene, 'POST', '/login', 'content-length: 50\r\n', 'user'));
      }
      await sleep(8000);
      for (const socket of slow) socket.destroy();
    },
  },
  {
    name: 'thousand-check-outs',
    does: `${CHECK_OUTS} check-outs of one aircraft at once: one wins, the others are told so.`,
    harm: checkOutAtOnce,
  },
];

const UPLOAD_HEADERS = 'content-type: multipart/form-data; boundary=b\r\ncontent-length: 200000\r\n';
const UPLOAD = '--b\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'.padEnd(20_000, 'x');

/** Begins a request of the administrator's without the front, as a client that is about to fail does. */
function send({ lab, crew }: Scene, method: string, path: string, headers = '', body = ''): Promise<Socket> {
  const { host } = new URL(lab.front.url);
  const common = `host: ${host}\r\norigin: ${lab.front.url}\r\ncookie: ${crew.administrator.cookie}\r\n`;
  return openSocket(appOf(lab).url, `${method} ${path} HTTP/1.1\r\n${common}${headers}\r\n${body}`);
}

/** Adds more flights than a socket's buffers hold. */
async function addFlights({ lab, crew }: Scene): Promise<void> {
  const [first] = crew.pilots;
  if (!first) return;
  const { id, schoolId } = first.person;
  const aircraftId = await makeAircraft(lab.db, schoolId);
  const flight = {
    ...completed('2026-05-12T14:00Z', '2026-05-12T15:18Z'),
    ...{ school_id: schoolId, aircraft_id: aircraftId, user_id: id, completed_by: id },
    ...{ start_hobbs: '1', start_tach: '1', notes: '' },
  };
  for (let batch = 0; batch < 20; batch += 1) {
    await lab.db
      .insertInto('flight_logs')
      .values(Array.from({ length: 2000 }, () => flight))
      .execute();
  }
  const { end_hobbs: last_hobbs, end_tach: last_tach, completed_at: last } = flight;
  await lab.db
    .updateTable('aircraft')
    .set({ last_hobbs, last_tach, last_hobbs_at: last, last_tach_at: last })
    .where('id', '=', aircraftId)
    .execute();
}

async function downloadsAgain({ lab, crew }: Scene): Promise<string[]> {
  const headers = { cookie: crew.administrator.cookie };
  const signal = AbortSignal.timeout(60_000);
  const answer = await fetch(`${lab.front.url}/api/flight-logs/export`, { headers, signal }).catch(() => undefined);
  const text = await answer?.text().catch(() => undefined);
  return answer?.status === 200 && text ? [] : [`the flight log cannot be downloaded any more (${answer?.status})`];
}

/** Ten pilots, who do nothing else, check out at once; each request has a key of its own. */
async function checkOutAtOnce({ lab, crew }: Scene): Promise<void> {
  const aircraftId = await makeAircraft(lab.db, crew.schoolId);
  const pilots = await Promise.all(Array.from({ length: 10 }, () => crew.enter('student')));
  const requests = Array.from({ length: CHECK_OUTS }, async (_, number) => {
    const pilot = pilots[number % pilots.length];
    const start = `${5000 + number}.0`;
    const json = { aircraftId, startHobbsTime: start, startTachTime: start };
    await pilot?.client.write({ marker: `check-out ${pilot.id} ${start}`, path: '/api/flight-logs', json });
  });
  await Promise.all(requests);
}
