import type { ReactNode } from 'react'
import type { CallItem } from '../../../../src/core/session/session-view.ts'

interface ImagePart {
  readonly mediaType: string
  readonly data: string
}

/** The images that a call returned. Only raster formats are shown: an SVG can hold scripts. */
export function imagesOf({ name, result }: CallItem): ReactNode {
  const images = result?.ok ? findImages(result.data) : []
  if (images.length === 0) return null
  return (
    <div className="in- flex wrap">
      {images.map(({ mediaType, data }, index) => (
        <img
          // biome-ignore lint/suspicious/noArrayIndexKey: images of a result have no identity but their place
          key={index}
          src={`data:${mediaType};base64,${data}`}
          alt={`Result of ${name}`}
          style={{ maxWidth: '100%', maxHeight: 480, borderRadius: 5 }}
        />
      ))}
    </div>
  )
}

const RASTER = /^image\/(png|jpeg|gif|webp|avif)$/

function findImages(data: unknown): readonly ImagePart[] {
  if (Array.isArray(data)) return data.slice(0, 20).flatMap(findImages)
  if (typeof data !== 'object' || data === null) return []
  const { mediaType, mimeType, data: content, image, images } = data as Readonly<Record<string, unknown>>
  const type = typeof mediaType === 'string' ? mediaType : mimeType
  if (typeof type === 'string' && RASTER.test(type) && typeof content === 'string')
    return [{ mediaType: type, data: content }]
  return [image, images].flatMap(findImages)
}
