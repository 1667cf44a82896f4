import type { FileEntry, Listing } from '../ports/files.ts'
import { array, boolean, integer, objectSchema, oneOf, optional, string } from '../tool/schema.ts'

/** The most entries that one call lists, and the default number. */
export const MAX_ENTRIES = 5_000
export const DEFAULT_ENTRIES = 1_000

/** The output schema of every listing. */
export const listingSchema = objectSchema({
  entries: array(
    objectSchema({
      name: string('Path below the folder that was listed'),
      type: oneOf(['file', 'directory', 'symlink'], 'What it is'),
      size: integer('Bytes', { minimum: 0 }),
      modified: string('ISO 8601'),
    }),
    'Sorted by name, each folder before its entries',
  ),
  more: optional(boolean('True if there are more entries')),
})

/** Returns a listing as data. */
export function listingData({ entries, more }: Listing) {
  return { entries, ...(more && { more }) }
}

/** Returns a listing as text for a model: one entry per line, folders with a slash, files with their size. */
export function listingText({ entries, more }: Listing, offset: number): string {
  if (entries.length === 0) return offset === 0 ? '(nothing here)' : '(nothing left)'
  const lines = entries.map(entryLine)
  if (more) lines.push(`[there are more entries; continue with "offset": ${offset + entries.length}]`)
  return lines.join('\n')
}

function entryLine({ name, type, size }: FileEntry): string {
  if (type === 'directory') return `${name}/`
  return type === 'symlink' ? `${name} (symlink)` : `${name} (${sizeText(size)})`
}

/** Formats a number of bytes for people: `532 B`, `1.4 KB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes, 0]
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
