/** A point in pixels, x to the right and y down. */
export type Point = readonly [x: number, y: number];

/** Corners, clockwise from the top left. */
export type Quad = readonly [Point, Point, Point, Point];

export interface Size {
  rows: number;
  columns: number;
}

export interface QuadAxes {
  centre: Point;
  /** Half of the quad's width, as a vector. */
  along: Point;
  /** Half of its height, as a vector. */
  down: Point;
}

export function quadAxes([a, b, c, d]: Quad): QuadAxes {
  return {
    centre: [(a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4],
    along: [(b[0] + c[0] - a[0] - d[0]) / 4, (b[1] + c[1] - a[1] - d[1]) / 4],
    down: [(c[0] + d[0] - a[0] - b[0]) / 4, (c[1] + d[1] - a[1] - b[1]) / 4],
  };
}

export function rotatedRectangle([x, y]: Point, width: number, height: number, angle: number): Quad {
  const [ax, ay] = [(Math.cos(angle) * width) / 2, (Math.sin(angle) * width) / 2];
  const [dx, dy] = [(-Math.sin(angle) * height) / 2, (Math.cos(angle) * height) / 2];
  return [
    [x - ax - dx, y - ay - dy],
    [x + ax - dx, y + ay - dy],
    [x + ax + dx, y + ay + dy],
    [x - ax + dx, y - ay + dy],
  ];
}

/** Returns the perspective transform of the unit square to the quad. */
export function unitSquareToQuad([a, b, c, d]: Quad): (u: number, v: number) => Point {
  const [x1, y1, x2, y2] = [b[0] - c[0], b[1] - c[1], d[0] - c[0], d[1] - c[1]];
  const [x3, y3] = [a[0] - b[0] + c[0] - d[0], a[1] - b[1] + c[1] - d[1]];
  const area = x1 * y2 - x2 * y1;
  const g = (x3 * y2 - x2 * y3) / area;
  const h = (x1 * y3 - x3 * y1) / area;
  const [p, q] = [b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0]];
  const [r, s] = [b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1]];
  return (u, v) => {
    const w = 1 + g * u + h * v;
    return [(a[0] + p * u + q * v) / w, (a[1] + r * u + s * v) / w];
  };
}

/** Adds `x` of its width on either side, `y` of its height above and below. */
export function expandQuad(quad: Quad, x: number, y: number): Quad {
  const at = unitSquareToQuad(quad);
  return [at(-x, -y), at(1 + x, -y), at(1 + x, 1 + y), at(-x, 1 + y)];
}

export function mapCorners(quad: Quad, change: (point: Point) => Point): Quad {
  return [change(quad[0]), change(quad[1]), change(quad[2]), change(quad[3])];
}
