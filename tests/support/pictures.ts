import sharp from 'sharp';

/** A JPEG of dark figures on a light plate, as easy to read as a meter can be. */
export function plate(text: string, { width = 640, height = 240 } = {}): Promise<Buffer> {
  const figures = `<text x="50%" y="62%" font-family="sans-serif" font-size="${height / 2.4}" text-anchor="middle">${text}</text>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f4f4f0"/>${figures}</svg>`;
  return sharp(Buffer.from(drawing)).jpeg().toBuffer();
}

/** A JPEG with nothing on it. */
export function blank(): Promise<Buffer> {
  return sharp({ create: { width: 400, height: 300, channels: 3, background: '#777' } }).jpeg().toBuffer();
}
