import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';

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
