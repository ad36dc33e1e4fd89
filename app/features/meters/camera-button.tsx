import { useEffect, useState } from 'react';
import type { CameraProps } from '#app/islands/camera/camera.tsx';

/** 'Open Camera', beside a file input: comes after the page, and only where the browser has a camera to offer. */
export function CameraButton(props: CameraProps) {
  const [island, setIsland] = useState<typeof import('#app/islands/camera/camera.tsx')>();
  useEffect(() => {
    // There is none over plain http, for one; the file input is there whatever comes.
    if (typeof navigator.mediaDevices?.getUserMedia !== 'function') return;
    import('#app/islands/camera/camera.tsx').then(setIsland, () => {});
  }, []);
  return island ? <island.Camera {...props} /> : null;
}
