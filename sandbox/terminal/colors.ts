import { createColors } from 'picocolors'
import { isColored } from './colored.ts'

/** The colours of this process's output. Unlike picocolors' default, CI does not colour files and pipes. */
export const colors = createColors(isColored(process.stdout, process.env))
