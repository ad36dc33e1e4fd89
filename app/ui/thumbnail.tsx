/** A small picture of a photo that was taken; `alt` says of what, such as 'Photo of the Hobbs meter'. */
export function Thumbnail({ src, alt }: { src: string; alt: string }) {
  return <img className="thumbnail" src={src} alt={alt} />;
}
