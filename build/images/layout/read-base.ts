import { readFile } from 'node:fs/promises'

/** What the images of programs stand on: an image of Node, by its digest. */
export const readBase = async (): Promise<string> => {
  const text = await readFile(new URL('../base.json', import.meta.url), 'utf8')
  const { name, digest } = JSON.parse(text) as { readonly name: string; readonly digest: string }
  return `${name}@${digest}`
}

/** Why a reference cannot be a base. Undefined: it can. */
export const baseProblem = (reference: string): string | undefined =>
  /@sha256:[0-9a-f]{64}$/.test(reference)
    ? undefined
    : `the base ${reference} has no digest, so nobody could make the same image again: name it as <image>@sha256:…`
