/**
 * In place of the package `react-style-singleton`, by which dialogs and menus put a `<style>` element into
 * the document to stop its scrolling. This document never scrolls, and its content security policy takes
 * no style but those of its own files.
 */
export const styleSingleton = () => () => null
