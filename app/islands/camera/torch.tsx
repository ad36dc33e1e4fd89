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

/** A light for a dark cockpit, where the camera has one. */
export function Torch({ stream }: { stream: MediaStream }) {
  const [lit, setLit] = useState(false);
  const [track] = stream.getVideoTracks();
  if (!track?.getCapabilities?.().torch) return null;
  const turn = () =>
    void track.applyConstraints({ advanced: [{ torch: !lit }] }).then(
      () => setLit(!lit),
      () => {},
    );
  return (
    <Button type="button" aria-pressed={lit} onClick={turn}>
      Torch
    </Button>
  );
}
