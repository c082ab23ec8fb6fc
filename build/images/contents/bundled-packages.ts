import type { Metafile } from 'esbuild'

/** Returns the folders of packages with code in esbuild's output, sorted. Omitted packages are excluded. */
export const bundledPackages = (metafiles: readonly Metafile[]): readonly string[] => {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(output =>
      Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [input] : [],
      ),
    ),
  )
  const folders = inputs.flatMap(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  return [...new Set(folders)].sort()
}
