// Nothing: with this file, headers that many tests include are parsed once for all of them.
