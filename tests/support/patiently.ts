import type { Answer } from './answers.ts';

const MAX_ATTEMPTS = 20;

/**
 * Sends a request again while it is answered with 503, as that answer asks: where many are sent at once, a machine
 * under load may let some wait too long for a connection.
 */
export async function patiently(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send();
    if (answer.status !== 503 || attempt === MAX_ATTEMPTS) return answer;
  }
}
