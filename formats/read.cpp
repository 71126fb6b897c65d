// Reading any file: the format is found by content, then by extension.
#include "formats/read.h"
