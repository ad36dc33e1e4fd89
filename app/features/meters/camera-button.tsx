import { useEffect, useState } from 'react';
import type { CameraProps } from '#app/islands/camera/camera.tsx';

/** Loads the camera after the page, where the browser can offer one; the file input works without it. */
export function CameraButton(props: CameraProps) {
  const [island, setIsland] = useState<typeof import('#app/islands/camera/camera.tsx')>();
  useEffect(() => {
    // Undefined over plain HTTP.
    if (typeof navigator.mediaDevices?.getUserMedia !== 'function') return;
    import('#app/islands/camera/camera.tsx').then(setIsland, () => {});
  }, []);
  return island ? <island.Camera {...props} /> : null;
}
