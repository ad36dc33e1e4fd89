import { useEffect, useState } from 'react';
import type { CameraProps } from '#app/islands/camera/camera.tsx';
import { hasModals } from '#app/ui/has-modals.ts';
import { PhotoButton } from '#app/ui/photo-button.tsx';

type Island = typeof import('#app/islands/camera/camera.tsx');

interface CameraButtonProps extends CameraProps {
  isReading?: boolean;
}

/** Loads the camera after the page, if the browser can offer one; else chooses a file. */
export function CameraButton({ isReading, ...props }: CameraButtonProps) {
  const [island, setIsland] = useState<Island | null>();
  useEffect(() => {
    // The property is undefined over plain HTTP.
    if (!hasModals || typeof navigator.mediaDevices?.getUserMedia !== 'function') return setIsland(null);
    import('#app/islands/camera/camera.tsx').then(setIsland, () => setIsland(null));
  }, []);
  if (isReading) return <PhotoButton name="Reading..." label={props.label} aria-disabled />;
  if (island) return <island.Camera {...props} />;
  if (island === undefined || !props.target) return null;
  return (
    <PhotoButton
      name="Choose Photo"
      label={props.label}
      onClick={() => document.getElementById(props.fileInputId)?.click()}
    />
  );
}
