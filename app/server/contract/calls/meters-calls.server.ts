import type { Call } from '../call.ts';
import { ANSWERS, BODIES } from '../schemas.server.ts';

export const metersCalls: Call[] = [
  {
    method: 'post',
    path: '/api/analyze-image',
    id: 'readMeter',
    scope: 'fly',
    summary: 'Read a photo of a meter',
    body: BODIES.MeterPhoto,
    example: { imageData: '/9j/4AAQSkZJRg==', meterType: 'hobbs', aircraftId: 7 },
    response: ANSWERS.ReadingOrNothing,
    errorStatuses: [404, 409, 422, 429, 502, 503],
  },
  {
    method: 'get',
    path: '/api/ocr-results',
    id: 'listScans',
    summary: 'The scans, newest first',
    response: ANSWERS.Scans,
  },
];
