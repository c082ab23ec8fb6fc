export declare const runsSources: (version: string) => boolean
