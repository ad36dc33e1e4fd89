import sharp from 'sharp';

/** A JPEG of dark figures on a light plate, as easy to read as a meter can be. */
export function drawMeterPlate(text: string, { width = 640, height = 240 } = {}): Promise<Buffer> {
  const figures = `<text x="50%" y="62%" font-family="sans-serif" font-size="${height / 2.4}" text-anchor="middle">${text}</text>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f4f4f0"/>${figures}</svg>`;
  return sharp(Buffer.from(drawing)).jpeg().toBuffer();
}

/** A JPEG with nothing on it. */
export function drawBlankPhoto(): Promise<Buffer> {
  return sharp({ create: { width: 400, height: 300, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer();
}

/** A JPEG of an hour meter on a dash: white figures on drums, the tenths black on white. */
export function hourMeter(digits: string, { width = 800, height = 600 } = {}): Promise<Buffer> {
  const cell = 46;
  const left = 400 - (cell * digits.length) / 2;
  const drums = [...digits].map((digit, at) => {
    const tenths = at === digits.length - 1;
    const [ground, ink] = tenths ? ['#e8e8e0', '#111'] : ['#141414', '#f2f2ee'];
    const x = left + at * cell;
    return `<rect x="${x}" y="270" width="${cell - 2}" height="64" fill="${ground}"/>
      <text x="${x + cell / 2 - 1}" y="320" font-family="sans-serif" font-size="50" text-anchor="middle" fill="${ink}">${digit}</text>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 800 600">
    <rect width="800" height="600" fill="#6b6256"/>
    <rect x="180" y="170" width="440" height="260" rx="18" fill="#222"/>
    <text x="400" y="230" font-family="sans-serif" font-size="30" text-anchor="middle" fill="#ddd">ENGINE HOURS</text>
    ${drums.join('')}
    <text x="400" y="390" font-family="sans-serif" font-size="18" text-anchor="middle" fill="#ddd">HOURS 1/10</text></svg>`;
  return sharp(Buffer.from(drawing)).rotate(2, { background: '#6b6256' }).blur(0.7).jpeg({ quality: 60 }).toBuffer();
}

/** Two hour meters in one photo: the first fills its left half, the second its right. */
export async function twoMeters(left: string, right: string): Promise<Buffer> {
  const half = (digits: string) => hourMeter(digits, { width: 400, height: 300 });
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#6b6256' } })
    .composite([
      { input: await half(left), left: 0, top: 150 },
      {
        input: await sharp(await half(right))
          .resize(390)
          .toBuffer(),
        left: 400,
        top: 150,
      },
    ])
    .jpeg()
    .toBuffer();
}

/** An hour meter in a JPEG of eight by three. */
export async function wideMeter(digits: string, width: number): Promise<Buffer> {
  const meter = await hourMeter(digits, { width, height: (width * 3) / 4 });
  return sharp(meter)
    .resize(width, (width * 3) / 8, { fit: 'cover' })
    .jpeg()
    .toBuffer();
}
