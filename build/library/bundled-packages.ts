import type { Metafile } from 'esbuild'

/** The folders of the packages of which something is in what esbuild wrote, sorted; what it left out is not among them. */
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
