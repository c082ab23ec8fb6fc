import type { MadeRelease } from './make-release.ts'

export interface ReleaseTableOptions {
  readonly registry: string
  readonly platforms: readonly string[]
  readonly folder: string
  readonly sizes: readonly { readonly name: string; readonly bytes: number }[]
}

/** Returns a short list of everything that a release made. */
export const releaseTable = (
  { version, revision, images, charts, verifyArgs }: MadeRelease,
  { registry, platforms, folder, sizes }: ReleaseTableOptions,
): string => {
  const count = Object.keys(images).length
  const rows = [
    ['version', `${version}, commit ${revision}`],
    ['images', `${count}, each for ${platforms.join(' and ')}: ${registry}/<program>:${version}`],
    ['charts', `${charts.map(({ name }) => name).join(', ')}: ${registry}/charts/<chart>:${version}`],
    ['signed', `${count} images with their SBOMs, ${charts.length} charts, SHA256SUMS`],
    ['verify', `cosign verify ${verifyArgs.join(' ')}`],
    ...sizes.map(({ name, bytes }, index) => [
      index === 0 ? folder : '',
      `${name} ${Math.max(1, Math.round(bytes / 1024))} KiB`,
    ]),
  ] as const
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join('')
}
