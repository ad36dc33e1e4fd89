export function Thumbnail({ src, alt }: { src: string; alt: string }) {
  return <img className="thumbnail" src={src} alt={alt} />;
}

export function PhotoLink({ src, alt }: { src: string; alt: string }) {
  return (
    <a href={src}>
      <Thumbnail src={src} alt={alt} />
    </a>
  );
}
