import { useEffect, useRef } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Actions } from '#app/ui/layout.tsx';
import type { Frame } from '#app/domain/meters/engine/meter-context.ts';
import { type CapturedPhoto, capturePhoto } from './captured-photo.ts';
import { Torch } from './torch.tsx';
import { CameraError, cameraMessages } from './camera-messages.ts';

interface ViewfinderProps {
  stream: MediaStream;
  take: (making: Promise<CapturedPhoto>) => void;
  noVideo: () => void;
}

/** What the camera sees, with a frame that says where the counter is to be. */
export function Viewfinder({ stream, take, noVideo }: ViewfinderProps) {
  const video = useRef<HTMLVideoElement>(null);
  const guide = useRef<HTMLParagraphElement>(null);
  const fail = useRef(noVideo);
  fail.current = noVideo;
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    let shown = true;
    element.srcObject = stream;
    element.play().catch(() => shown && fail.current());
    return () => {
      shown = false;
      element.srcObject = null;
    };
  }, [stream]);

  return (
    <>
      <div className="viewfinder">
        <video ref={video} muted playsInline aria-label="What the camera sees" />
        <p ref={guide} className="viewfinder-guide">
          <span>fill this frame with the counter</span>
        </p>
      </div>
      <Actions>
        <Button
          type="button"
          variant="primary"
          data-next
          onClick={() => video.current && guide.current && take(photoOf(video.current, guide.current))}
        >
          Take Photo
        </Button>
        <Torch stream={stream} />
      </Actions>
    </>
  );
}

/** The whole picture, and where in it the counter was held. */
async function photoOf(video: HTMLVideoElement, guide: Element): Promise<CapturedPhoto> {
  const { videoWidth, videoHeight, readyState } = video;
  if (videoWidth === 0 || readyState < video.HAVE_CURRENT_DATA) throw new CameraError(cameraMessages.notReady);
  const frame = frameOf(video.getBoundingClientRect(), guide.getBoundingClientRect());
  return { ...(await capturePhoto(video, videoWidth, videoHeight)), frame };
}

function frameOf(whole: DOMRect, part: DOMRect): Frame {
  const share = (length: number, of: number) => Math.min(1, Math.max(0, Number((length / of).toFixed(4))));
  return {
    x: share(part.x - whole.x, whole.width),
    y: share(part.y - whole.y, whole.height),
    width: share(part.width, whole.width),
    height: share(part.height, whole.height),
  };
}
