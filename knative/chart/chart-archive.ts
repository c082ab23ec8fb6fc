import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { type ChartFiles, chartName } from './files/chart-files.ts'

/**
 * Packs a chart as Helm does: a `.tgz` with one folder. Equal files give equal bytes: it contains no time, no owner and
 * no operating system.
 */
export const chartArchive = async (files: ChartFiles, name = chartName): Promise<Uint8Array> => {
  const tar = pack()
  for (const [path, text] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    tar.entry({ name: `${name}/${path}`, mtime: new Date(0), mode: 0o644 }, text)
  tar.finalize()
  const archive = gzipSync(await buffer(tar), { level: 9 })
  // RFC 1952: the tenth byte is the operating system; 255: unknown.
  archive[9] = 255
  return archive
}
