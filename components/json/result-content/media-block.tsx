'use client';

import { useEffect, useState } from 'react';
import { formatBytes, MiB, toVisibleText } from '@/lib/core';
import { Button } from '@/components/ui/button';
import { toBlob, type Base64 } from './base64';
import { DownloadButton } from './download-button';

/** Drawn by the browser's own decoders without running anything; SVG and whatever else can script is saved instead. */
const RASTER = /^image\/(?:png|jpe?g|gif|webp|avif|bmp)$/;
const SOUND = /^audio\/(?:wav|x-wav|wave|mpeg|mp3|ogg|webm|aac|mp4|flac)$/;
const MOST_DECODED = 8 * MiB;

interface MediaBlockProps {
  readonly mimeType: string;
  readonly data: Base64;
  readonly name: string;
}

export function ImageBlock({ mimeType, data, name }: MediaBlockProps) {
  const refusal = !RASTER.test(mimeType) ? 'This kind of image is not drawn here.' : data.sizeBytes > MOST_DECODED ? `Images over ${formatBytes(MOST_DECODED)} are not drawn here.` : null;
  const [broken, setBroken] = useState(false);
  return (
    <figure className="flex flex-col items-start gap-1">
      {refusal === null && !broken ? (
        // eslint-disable-next-line @next/next/no-img-element -- the bytes are in hand; an image server would fetch what it must not
        <img src={`data:${mimeType};base64,${data.letters}`} alt={`Image of the answer, ${mimeType}`} className="max-h-96 max-w-full border border-line bg-surface object-contain" onError={() => setBroken(true)} />
      ) : null}
      <figcaption className="flex flex-wrap items-center gap-2 text-xs text-muted">
        {`image, ${toVisibleText(mimeType)}, ${formatBytes(data.sizeBytes)}.`} {broken ? 'It could not be drawn.' : refusal}
        <DownloadButton name={name} makeBlob={() => toBlob(data, 'application/octet-stream')} />
      </figcaption>
    </figure>
  );
}

export function AudioBlock({ mimeType, data, name }: MediaBlockProps) {
  const [address, setAddress] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  const playable = SOUND.test(mimeType) && data.sizeBytes <= MOST_DECODED;
  useEffect(() => () => {
    if (address !== null) URL.revokeObjectURL(address);
  }, [address]);
  return (
    <div className="flex flex-col items-start gap-1">
      {/* A stranger's sound comes without captions. */}
      {address === null || broken ? null : <audio controls src={address} aria-label={`Sound of the answer, ${mimeType}`} onError={() => setBroken(true)} />}
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        {`sound, ${toVisibleText(mimeType)}, ${formatBytes(data.sizeBytes)}.${broken ? ' It could not be played here.' : ''}`}
        {playable && address === null ? <Button size="small" onClick={() => setAddress(URL.createObjectURL(toBlob(data, mimeType)))}>Play it here</Button> : null}
        <DownloadButton name={name} makeBlob={() => toBlob(data, 'application/octet-stream')} />
      </div>
    </div>
  );
}
