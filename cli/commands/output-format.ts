import { Option } from 'commander'

const usual = ['text', 'wide', 'json', 'yaml'] as const

/** The format of an output: `wide` is text that is not folded at the width of the terminal. */
export type OutputFormat = (typeof usual)[number]

/** `-o, --output` of every command that prints objects or states. @param more formats that only this command has */
export const outputOption = (...more: readonly string[]): Option =>
  new Option('-o, --output <format>', 'output format').choices([...usual, ...more]).default('text')

/** Returns true for a format for readers. */
export const isText = (format: string): format is 'text' | 'wide' => format === 'text' || format === 'wide'
