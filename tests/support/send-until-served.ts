import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Sends a request anew while the answer is 503, as its text asks one to: of a crowd some wait too long for a connection
 * when the machine is busy. Nothing was stored then.
 */
export async function sendUntilServed<Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> {
  for (const end = Date.now() + 120_000; ; await sleep(100)) {
    const answer = await send();
    if (answer.status !== 503 || Date.now() > end) return answer;
  }
}
