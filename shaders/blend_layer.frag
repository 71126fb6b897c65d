#version 450 core
// Puts the next layer of what is transparent under those before it (the blend function does it).
layout(binding = 0) uniform sampler2D layer;
layout(location = 0) out vec4 out_colour;
void main() { out_colour = texelFetch(layer, ivec2(gl_FragCoord.xy), 0); }
