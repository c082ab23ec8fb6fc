import { readFile } from 'node:fs/promises'

/** Returns the base of the programs' images: an image of Node with its digest. */
export const readBase = async (): Promise<string> => {
  const text = await readFile(new URL('../base.json', import.meta.url), 'utf8')
  const { name, digest } = JSON.parse(text) as { readonly name: string; readonly digest: string }
  return `${name}@${digest}`
}

/** Returns why a reference cannot be a base, or undefined if it can. */
export const baseProblem = (reference: string): string | undefined =>
  /@sha256:[0-9a-f]{64}$/.test(reference)
    ? undefined
    : `the base image ${reference} has no digest, so the build cannot be reproduced. Use <image>@sha256:…`
