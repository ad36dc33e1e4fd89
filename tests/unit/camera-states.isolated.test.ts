import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { analyzeImage } from '#app/islands/camera/analyze-image.ts';
import { CameraDialog } from '#app/islands/camera/camera-dialog.tsx';
import { CameraError, type CapturedPhoto, capturePhoto, photoFromFile } from '#app/islands/camera/captured-photo.ts';
import type { PhotoHandler } from '#app/islands/camera/photo-handlers.ts';
import { useCamera } from '#app/islands/camera/use-camera.ts';
import { Viewfinder } from '#app/islands/camera/viewfinder.tsx';
import { elementsOf, render } from '../support/hooks.ts';

vi.mock('react', async (original) => ({
  ...(await original<object>()),
  ...(await import('../support/hooks.ts')).hooks,
}));
/** The streams that the browser is asked for. */
const asked = vi.hoisted(() => Array<{ give: (stream: MediaStream) => void; fail: (error: Error) => void }>());
vi.mock(import('#app/islands/camera/open-camera.ts'), () => ({
  openCamera: () => new Promise((give, fail) => void asked.push({ give, fail })),
}));
const photo: CapturedPhoto = { image: new Blob(['x']), dataUrl: 'data:image/jpeg;base64,eA==', idempotencyKey: '1' };
const stream = () => ({ getTracks: () => [new EventTarget()], getVideoTracks: () => [] }) as unknown as MediaStream;
const page = Object.assign(new EventTarget(), { hidden: false });
/** Lets what is under way go on. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  asked.length = 0;
  page.hidden = false;
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => vi.unstubAllGlobals());

/** The camera of a dialog that is open, and what it does once it is closed with a photo. */
function openDialog(photoHandler: PhotoHandler = async () => () => {}) {
  const onDone = vi.fn();
  const camera = render(() => useCamera(photoHandler, onDone), undefined);
  return { camera, onDone, state: () => camera.result.state };
}

async function openLive(photoHandler?: PhotoHandler) {
  const opened = openDialog(photoHandler);
  asked[0]?.give(stream());
  await pause();
  expect(opened.state().name).toBe('live');
  return opened;
}

describe('the camera of a dialog', () => {
  it('that still starts as its page is hidden is off, and stays off once it has opened (B169)', async () => {
    const { state } = openDialog();
    expect(state().name).toBe('starting');
    page.hidden = true;
    page.dispatchEvent(new Event('visibilitychange'));
    expect(state().name).toBe('off');
    asked[0]?.give(stream());
    await pause();
    expect(state().name).toBe('off');
  });

  it('says nothing more of the photo before once another one is taken (B163, B168)', async () => {
    const { camera, state } = await openLive();
    await camera.result.capture(Promise.reject(new CameraError('Too large.')));
    expect(state()).toMatchObject({ name: 'live', error: 'Too large.' });
    void camera.result.capture(new Promise(() => {}));
    expect(state().error).toBeUndefined();
  });

  it('fills nothing in with a photo that was retaken before it was read (B148)', async () => {
    let read = (_finish: () => void) => {};
    const { camera, state, onDone } = await openLive(() => new Promise((resolve) => (read = resolve)));
    const sending = camera.result.send(photo);
    void camera.result.start();
    read(() => {});
    await sending;
    expect(onDone).not.toHaveBeenCalled();
    expect(state().name).toBe('starting');
  });
});

describe('the dialog of a camera', () => {
  function openCameraDialog(photoHandler: PhotoHandler = async () => () => {}) {
    const dialog = render(CameraDialog, { label: 'Photo', photoHandler, onClose: () => {} });
    /** What a part of the dialog shows, by the name of its function. */
    return (name: string): { props: Record<string, unknown>; shown: () => ReactElement } => {
      const [part] = elementsOf(dialog.result, ({ type }) => typeof type === 'function' && type.name === name);
      if (typeof part?.type !== 'function') throw new Error(`the dialog shows no ${name}`);
      const { type, props } = part;
      return { props, shown: () => Reflect.apply(type, null, [props]) };
    };
  }

  it('does not send a photo again by another press while it is being read (B148)', async () => {
    const photoHandler = vi.fn<PhotoHandler>(() => new Promise(() => {}));
    const partOf = openCameraDialog(photoHandler);
    asked[0]?.give(stream());
    await pause();
    const { capture } = partOf('Viewfinder').props;
    if (typeof capture === 'function') capture(Promise.resolve(photo));
    await pause();
    for (let press = 0; press < 2; press += 1) {
      const [use] = elementsOf(partOf('PhotoReview').shown(), ({ props }) => 'data-initial-focus' in props);
      use?.props.onClick();
    }
    expect(photoHandler).toHaveBeenCalledTimes(1);
  });

  it("offers the phone's own camera in place of one that failed (B165)", async () => {
    const partOf = openCameraDialog();
    asked[0]?.fail(new CameraError('Denied.'));
    await pause();
    const [chooser] = elementsOf(partOf('CameraOff').shown(), ({ props }) => 'chooseFile' in props);
    expect(chooser?.props.capture).toBe('environment');
  });

  it('shows the picture in its place, not in the full screen of a phone, and without sound (B160)', () => {
    const viewfinder = { stream: stream(), capture: () => {}, onVideoError: () => {} };
    const { result } = render(Viewfinder, viewfinder);
    const [video] = elementsOf(result, ({ type }) => type === 'video');
    expect(video?.props).toMatchObject({ playsInline: true, muted: true });
  });
});

describe('a photo', () => {
  /** A canvas, with what was drawn on it. */
  function stubCanvas() {
    const drawImage = vi.fn();
    const toBlob = (give: (image: Blob) => void) => give(new Blob(['x']));
    const canvas = { width: 0, height: 0, getContext: () => ({ drawImage }), toBlob };
    vi.stubGlobal('document', { createElement: () => canvas });
    class Reader {
      result = 'data:image/jpeg;base64,eA==';
      onload = () => {};

      readAsDataURL() {
        this.onload();
      }
    }
    vi.stubGlobal('FileReader', Reader);
    return canvas;
  }

  it.each([
    [640, 480, 640, 480],
    [1600, 600, 800, 300],
  ])('of %d by %d pixels is sent with %d by %d (B162)', async (width, height, ...expected) => {
    const canvas = stubCanvas();
    await capturePhoto({} as CanvasImageSource, width, height);
    expect([canvas.width, canvas.height]).toEqual(expected);
  });

  it('that is chosen is turned as it was taken (B162)', async () => {
    stubCanvas();
    const bitmap = { width: 3, height: 4, close: () => {} };
    const decode = vi.fn(async (_file: File, _options: ImageBitmapOptions) => bitmap);
    vi.stubGlobal('createImageBitmap', decode);
    await photoFromFile(new File(['x'], 'meter.jpg'));
    expect(decode.mock.calls[0]?.[1]).toEqual({ imageOrientation: 'from-image' });
  });

  it('is read as one of its aircraft and meter, with the place of the frame (B149)', async () => {
    const fetch = vi.fn(async (_path: string, _request: RequestInit) => Response.json({ id: null }));
    vi.stubGlobal('fetch', fetch);
    const frame = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
    const target = { aircraftId: 3, meterType: 'tachometer', readingId: 'tach', onScan: () => {} } as const;
    expect(await analyzeImage({ ...photo, frame }, target)).toBeNull();
    const sent = JSON.parse(String(fetch.mock.calls[0]?.[1].body));
    expect(sent).toEqual({ imageData: 'eA==', meterType: 'tachometer', aircraftId: 3, frame });
  });
});
