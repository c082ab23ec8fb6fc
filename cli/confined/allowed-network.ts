/** The network of a confined process: none, HTTP requests that read, or all. */
export type AllowedNetwork = 'none' | 'reads' | 'all'

export interface NetworkFlags {
  readonly allowReads?: boolean
  readonly allowNetwork?: boolean
}

export const allowedNetwork = ({ allowReads, allowNetwork }: NetworkFlags): AllowedNetwork =>
  allowNetwork ? 'all' : allowReads ? 'reads' : 'none'

/** The protection of a dry run from foreign code, for the help. */
export const protection = `The code of --function cannot write files, start programs or use the network. This protects from mistakes, not from hostile code.
`

/** The descriptions of the two flags, for the help. */
export const networkFlags = {
  reads: 'allow functions HTTP requests with GET, HEAD and OPTIONS',
  all: 'allow functions all of the network; changes are real',
} as const
