// The bodies behind each computation, one per kind of device; only the dispatchers and the bodies include this.
#pragma once
