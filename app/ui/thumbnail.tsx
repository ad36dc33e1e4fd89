export function Thumbnail({ src, alt }: { src: string; alt: string }) {
  return <img className="thumbnail" src={src} alt={alt} />;
}
