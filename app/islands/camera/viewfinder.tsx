import { useEffect, useRef, useState } from 'react';
import { Button, Actions } from '#app/ui/elements.tsx';
import { CameraError, cameraMessages, type CapturedPhoto, capturePhoto, relativeFrame } from './captured-photo.ts';

interface ViewfinderProps {
  stream: MediaStream;
  capture: (photoPromise: Promise<CapturedPhoto>) => void;
  onVideoError: () => void;
}

export function Viewfinder({ stream, capture, onVideoError }: ViewfinderProps) {
  const videoRef = useRef<HTMLVideoElement>(null);
  const guideRef = useRef<HTMLParagraphElement>(null);
  const onVideoErrorRef = useRef(onVideoError);
  onVideoErrorRef.current = onVideoError;
  useEffect(() => {
    const video = videoRef.current;
    if (!video) return;
    let isMounted = true;
    video.srcObject = stream;
    video.play().catch(() => isMounted && onVideoErrorRef.current());
    return () => {
      isMounted = false;
      video.srcObject = null;
    };
  }, [stream]);

  return (
    <>
      <div className="viewfinder">
        <video ref={videoRef} muted playsInline aria-label="What the camera sees" />
        <p ref={guideRef} className="viewfinder-guide">
          <span>fill this frame with the counter</span>
        </p>
      </div>
      <Actions>
        <Button
          type="button"
          variant="primary"
          data-initial-focus
          onClick={() =>
            videoRef.current && guideRef.current && capture(captureFromVideo(videoRef.current, guideRef.current))
          }
        >
          Take Photo
        </Button>
        <Torch stream={stream} />
      </Actions>
    </>
  );
}

async function captureFromVideo(video: HTMLVideoElement, guide: Element): Promise<CapturedPhoto> {
  const { videoWidth, videoHeight, readyState } = video;
  if (videoWidth === 0 || readyState < video.HAVE_CURRENT_DATA) throw new CameraError(cameraMessages.notReady);
  const frame = relativeFrame(video.getBoundingClientRect(), guide.getBoundingClientRect());
  return { ...(await capturePhoto(video, videoWidth, videoHeight)), frame };
}

declare global {
  interface MediaTrackCapabilities {
    torch?: boolean;
  }
  interface MediaTrackConstraintSet {
    torch?: boolean;
  }
}

export function Torch({ stream }: { stream: MediaStream }) {
  const [isOn, setIsOn] = useState(false);
  const [track] = stream.getVideoTracks();
  if (!track?.getCapabilities?.().torch) return null;
  const toggle = () =>
    void track.applyConstraints({ advanced: [{ torch: !isOn }] }).then(
      () => setIsOn(!isOn),
      () => {},
    );
  return (
    <Button type="button" aria-pressed={isOn} onClick={toggle}>
      Torch
    </Button>
  );
}
